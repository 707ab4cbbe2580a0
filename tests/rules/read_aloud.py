"""Forty typed hands, of every rule set and every kind of answer, to be read aloud."""

HANDS = """
changchun "123m 456p 789s 111s 55p" --winning-tile 5p --discarder 1
changchun "123m 456p 789s 55p" --melds "pung 555s" --winning-tile 5p --discarder 1 --dealer 1
changchun "123m 456p 11s CC" --melds "pung 555s" --winning-tile 1s --self-drawn
changchun "123m 99m 234s 678p" --melds "pung 555p" --winning-tile 8p --self-drawn \
 --treasure 8p --flag ready_declared --winner 1
changchun "123m 99m 234s 67pE" --melds "pung 555p" --winning-tile E --self-drawn \
 --treasure E --flag ready_declared --winner 1
changchun "123m 234s 678p 5p" --melds "egg CFP + CC"
changchun "456m 234s 55p" --melds "egg ESWN + E; pung 999p" --winning-tile 4s --discarder 2
changchun "123m 45p 789s 11155s"
changchun "12m 45p 789s 111s 555s"
changchun "123m 456p 789p 111p 55p" --winning-tile 5p --discarder 1
changsha "123m 456p 789s 234s 55p" --winning-tile 5p --discarder 2
changsha "123m 456p 789s 234s 55p" --winning-tile 5p
changsha "123m 456p 789s 234s 33p" --winning-tile 3p --discarder 2
changsha "222m 555m 888m 22233m" --winning-tile 3m --self-drawn --winner 1
changsha "225588m 11223399p" --winning-tile 9p --discarder 3 --birds 5m
changsha "11112233445566m" --winning-tile 6m --self-drawn --flag last_tile
changsha "123m 456p 789s 234s 5p"
changsha "5p" --melds "chow 123m; pung 777s; chow 345p; kong_exposed 9999s" --seen 55p
changsha "123m 456p 789s 234s ?5p" --winning-tile 5p --discarder 2
changsha "123m 456p 789s 234s 55p" --self-drawn --birds "2m 3p"
wanzhou "456p 789s 234s 99p" --melds "pung 111m" --winning-tile 4s --discarder 2
wanzhou "456p 789s 234s 99p" --melds "pung 111m" --winning-tile 4s --self-drawn
wanzhou "111222333m 555m 99m" --winning-tile 9m --discarder 2 --flag robbing_kong
wanzhou "11223344556677m" --winning-tile 7m --self-drawn
wanzhou "4p" --melds "pung 111m; pung 777s; pung 333p; kong_added 9999s" --seen 4p
wanzhou "456p 789s 234s 9p" --melds "pung 111m"
wanzhou "123m 456p 789s 222s 55p" --winning-tile 5p --discarder 1 --flag after_kong_discard
tianjin "123m 456m 789m 23s 55p" --winning-tile 3s --self-drawn --wild "3s 4s" --winner 1
tianjin "123m 456m 789m 123s 55p" --winning-tile 3m --self-drawn --wild "N E" --double-down
tianjin "46m 3s 123p 789p 55s 222s" --winning-tile 3s --self-drawn --wild "3s 4s" \
 --winner 2 --challenge 2
tianjin "456m 789p 123s 55p" --melds "kong_concealed 9999m" --winning-tile 5p --self-drawn \
 --wild "5p 6p" --flag after_kong_concealed
tianjin "123m 456m 789m 123s 55p" --winning-tile 3m --discarder 2 --wild "N E"
tianjin "123m 456m 789m 123s 5p" --wild "N E"
tianjin "123m 456m 789m 123s 55p" --winning-tile 3m --self-drawn --wild "N E" --flag first_turn
tianjin "456m 789p 123s 99p" --melds "pung 111m" --winning-tile 3s --self-drawn --wild "N E" \
 --flag first_turn
classical "123m 456p 789s 99s" --melds "pung CCC" --winning-tile 9s --discarder 2 \
 --prevailing E --winner 1
classical "119m 19p 19s ESWNCFP" --winning-tile P --self-drawn --winner 1
classical "123m 456p 789s 111s 55p" --winning-tile 5p --discarder 1
classical "111m 222m 333m 444m 55p" --winning-tile 5p --self-drawn --bonus "1f2q" --prevailing S
classical "3455m" --melds "chow 456m; chow 456m; chow 123m"
classical "1112345678999m 5m" --winning-tile 5m --discarder 1 --prevailing W
classical "123m 456p 789s 99s" --melds "kong_concealed CCCC" --winning-tile 9s --self-drawn \
 --flag after_kong
""".strip().splitlines()

WRONG = """
changsha "123m 45x" --winning-tile 5p
changsha "" --winning-tile 5p
changsha "123m 456p 789s 234s 55p" --winning-tile 55p
changsha "123m 456p 789s 234s 55p" --winning-tile 5p --flag robbing
changsha "123m 456p 789s 234s 55p" --winning-tile 5p --wild 3m
changsha "123m 456p 789s 234s 55p" --winner 2 --discarder 2
changsha "123m 456p 789s 234s 5p" --melds "kong 555p"
changsha "123m 456p 789s 234s 5p" --seen 555p
tianjin "123m 456m 789m 123s 55p" --wild "N ?"
tianjin "123m 456p 789s 345m 5p 3s" --wild "3s 4s" --self-drawn
tianjin "123m 456m 789m 123s 55p" --wild "N E" --challenge 0
classical "123m 456p 789s 99s" --prevailing C
""".strip().splitlines()
