/* Runs the firmware without hardware. Commands come on stdin, each is answered by one line on
   stdout: "ok ..." or "error ...". Without --port, time stands still but for the command run, and
   the serial line is in hexadecimal digits; with --port, time is real and the line is a
   pseudo-terminal. The program ends when stdin does.

   set NAME 0|1                         opens or closes dice0-3 liftkey0-1 lift0-3 wall dome
   key SEAT none|win|win+kong|...       holds keys of a keypad
   adc SEAT MILLIVOLTS                  sets a keypad's voltage
   tray SEAT NUMBER|absent              sets a tray's converter
   bounce NAME LEVEL CHANGES US         lets a contact bounce
   after US COMMAND                     gives a command later
   reset, power off|on, hang [deaf]     button, supply; a program that stops
   skip MS, speed X                     moves the millisecond counter; times real time (with --port)
   eeprom load|save FILE                reads or writes the EEPROM
   run MS [line], rx HEX                stepped time (without --port); answers what was sent
   state, quit                          time, power, resets and parts; ends */

#include <ctype.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"
#include "parts.h"
#include "wire.h"

#define COMMAND_LENGTH 8192
#define SLICE_US 1000
#define MOST_LATE_NS 100000000ll
#define SENT 65536

static const char *port_path;
static double speed = 1.0; /* 0: as fast as possible */
static volatile sig_atomic_t is_over;

static void end(int unused)
{
    (void)unused;
    is_over = 1;
}

static void say_sent(void)
{
    static uint8_t sent[SENT];
    size_t count = wire_take(sent, SENT);
    printf("ok %llu ", (unsigned long long)(chip_now() / CYCLES_PER_US));
    for (size_t index = 0; index < count; index++)
        printf("%02x", sent[index]);
    printf("\n");
}

static const char *receive(const char *digits)
{
    uint8_t bytes[COMMAND_LENGTH / 2];
    size_t count = 0;
    for (; isxdigit(digits[0]) && isxdigit(digits[1]); digits += 2) {
        unsigned byte;
        sscanf(digits, "%2x", &byte);
        bytes[count++] = byte;
    }
    if (*digits != '\0')
        return "these are no pairs of hexadecimal digits";
    return wire_send(bytes, count) == count ? NULL : "there is no room for so many bytes";
}

static void say_state(void)
{
    chip_counts counts = chip_get_counts();
    printf("ok us=%llu powered=%d resets=%u watchdog_resets=%u watchdog_interrupts=%u",
           (unsigned long long)(chip_now() / CYCLES_PER_US), chip_is_powered(), counts.resets,
           counts.watchdog_resets, counts.watchdog_interrupts);
    parts_print_state(stdout);
    printf("\n");
}

static void run(double for_ms, bool stop_at_line)
{
    uint64_t until = chip_now() + (uint64_t)(for_ms * 1000) * CYCLES_PER_US;
    if (!chip_run(until, stop_at_line)) {
        printf("error the firmware crashed or sleeps for ever\n");
        is_over = 1;
        return;
    }
    chip_keep_eeprom();
    say_sent();
}

/* NULL if it was done. The commands that answer by themselves are not here. */
static const char *obey_plain(const char *command)
{
    char file[256];
    unsigned number;
    if (strcmp(command, "reset") == 0)
        chip_press_reset();
    else if (strcmp(command, "power on") == 0 || strcmp(command, "power off") == 0)
        chip_power(strcmp(command, "power on") == 0);
    else if (strcmp(command, "hang") == 0 || strcmp(command, "hang deaf") == 0)
        chip_hang(strcmp(command, "hang deaf") == 0);
    else if (strcmp(command, "quit") == 0)
        is_over = 1;
    else if (sscanf(command, "skip %u", &number) == 1)
        return chip_skip(number) ? NULL : "the firmware has no counter timer0_millis";
    else if (sscanf(command, "eeprom load %255[^\n]", file) == 1)
        return chip_load_eeprom(file);
    else if (sscanf(command, "eeprom save %255[^\n]", file) == 1)
        return chip_save_eeprom(file);
    else if (port_path != NULL && sscanf(command, "speed %lf", &speed) == 1)
        return speed >= 0 ? NULL : "a speed is not below 0";
    else if (port_path == NULL && strncmp(command, "rx ", 3) == 0)
        return receive(command + 3);
    else
        return parts_command(command);
    return NULL;
}

static void obey(const char *command)
{
    double for_ms;
    int read = 0;
    if (port_path == NULL && sscanf(command, "run %lf%n", &for_ms, &read) == 1 && for_ms >= 0) {
        run(for_ms, strcmp(command + read, " line") == 0);
    } else if (strcmp(command, "state") == 0) {
        say_state();
    } else {
        const char *problem = obey_plain(command);
        if (problem == NULL)
            printf("ok\n");
        else
            printf("error %s: %s\n", command, problem);
    }
    fflush(stdout);
}

static void obey_stdin(void)
{
    static char waiting[COMMAND_LENGTH];
    static size_t count;
    ssize_t got = read(STDIN_FILENO, waiting + count, COMMAND_LENGTH - 1 - count);
    if (got <= 0) {
        is_over = 1;
        return;
    }
    waiting[count += got] = '\0';
    char *begin = waiting, *line_end;
    while (!is_over && (line_end = strchr(begin, '\n')) != NULL) {
        *line_end = '\0';
        obey(begin);
        begin = line_end + 1;
    }
    memmove(waiting, begin, count -= begin - waiting);
    if (count == COMMAND_LENGTH - 1) {
        printf("error the command is too long\n");
        is_over = 1;
    }
}

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Wait for commands or bytes until the moment, but wake not before it for bytes: a wire, too,
   needs its time. */
static void wait_until(long long moment_ns)
{
    struct pollfd commands = {.fd = STDIN_FILENO, .events = POLLIN};
    do {
        long long left_ns = moment_ns - now_ns();
        struct timespec left = {.tv_nsec = left_ns > 0 ? left_ns % 1000000000 : 0};
        left.tv_sec = left_ns > 0 ? left_ns / 1000000000 : 0;
        if (ppoll(&commands, 1, &left, NULL) > 0)
            obey_stdin();
    } while (!is_over && now_ns() < moment_ns);
}

static void run_in_real_time(void)
{
    long long deadline_ns = now_ns();
    while (!is_over) {
        pty_carry();
        if (!chip_run(chip_now() + SLICE_US * CYCLES_PER_US, false)) {
            fprintf(stderr, "The firmware crashed or sleeps for ever.\n");
            exit(3);
        }
        pty_carry();
        chip_keep_eeprom();
        deadline_ns += speed > 0 ? (long long)(SLICE_US * 1000 / speed) : 0;
        if (speed == 0 || now_ns() - deadline_ns > MOST_LATE_NS)
            deadline_ns = now_ns(); /* the computer was busy elsewhere: do not hurry after it */
        wait_until(deadline_ns);
    }
}

static const char USAGE[] =
    "harness [--port PATH] [--reset-on-open] [--bootloader-ms N] [--eeprom FILE] [--millis N]\n"
    "        [--seed N] FIRMWARE.elf\n";

int main(int count, char **arguments)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'},   {"reset-on-open", no_argument, NULL, 'r'},
        {"eeprom", required_argument, NULL, 'e'}, {"bootloader-ms", required_argument, NULL, 'b'},
        {"seed", required_argument, NULL, 's'},   {"millis", required_argument, NULL, 'm'},
        {0},
    };
    chip_options options = {.millis = -1, .seed = 1};
    bool reset_on_open = false;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': port_path = optarg; break;
        case 'r': reset_on_open = true; break;
        case 'e': options.eeprom_file = optarg; break;
        case 'b': options.bootloader_ms = strtoul(optarg, NULL, 10); break;
        case 's': options.seed = strtoul(optarg, NULL, 10); break;
        case 'm': options.millis = strtoll(optarg, NULL, 10); break;
        default: fputs(USAGE, stderr); return 2;
        }
    }
    if (optind != count - 1) {
        fputs(USAGE, stderr);
        return 2;
    }
    options.firmware = arguments[optind];
    signal(SIGPIPE, SIG_IGN);
    struct sigaction ending = {.sa_handler = end}; /* no restart: a waiting read returns */
    sigaction(SIGTERM, &ending, NULL);
    sigaction(SIGINT, &ending, NULL);
    chip_start(&options);
    if (port_path != NULL)
        pty_open(port_path, reset_on_open);
    printf("ok ready\n");
    fflush(stdout);
    if (port_path != NULL)
        run_in_real_time();
    while (!is_over)
        obey_stdin();
    pty_close();
    return 0;
}
