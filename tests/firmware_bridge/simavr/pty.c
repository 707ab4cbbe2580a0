#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "chip.h"
#include "wire.h"

#define CHUNK 256

static int terminal = -1, other_end = -1;
static const char *link_path;
static bool resets_on_open, is_open;

void pty_open(const char *path, bool reset_on_open)
{
    char name[128];
    struct termios raw;
    if (openpty(&terminal, &other_end, name, NULL, NULL) != 0 || tcgetattr(other_end, &raw) != 0) {
        perror("No pseudo-terminal");
        exit(2);
    }
    /* Raw before anybody opens it, or it would echo. */
    cfmakeraw(&raw);
    tcsetattr(other_end, TCSANOW, &raw);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    link_path = path;
    resets_on_open = reset_on_open;
    if (reset_on_open) { /* without our own hold, hanging up and opening can be seen */
        close(other_end);
        other_end = -1;
    }
    if (symlink(name, path) != 0) {
        fprintf(stderr, "There can be no port at %s: %s.\n", path, strerror(errno));
        exit(2);
    }
}

int pty_descriptor(void)
{
    return terminal;
}

static void notice_opening(void)
{
    if (!resets_on_open)
        return;
    struct pollfd poll_one = {.fd = terminal, .events = 0};
    bool was_open = is_open;
    is_open = poll(&poll_one, 1, 0) == 0 || !(poll_one.revents & POLLHUP);
    if (is_open && !was_open)
        chip_press_reset();
}

void pty_carry(void)
{
    uint8_t bytes[CHUNK];
    notice_opening();
    size_t room = wire_room() < CHUNK ? wire_room() : CHUNK;
    ssize_t count = read(terminal, bytes, room);
    if (count > 0)
        wire_send(bytes, count);
    while ((room = wire_take(bytes, CHUNK)) > 0)
        if (!resets_on_open || is_open)
            (void)!write(terminal, bytes, room);
}

void pty_close(void)
{
    if (link_path != NULL)
        unlink(link_path);
}
