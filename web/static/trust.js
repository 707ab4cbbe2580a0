// The page says all by itself; only language and colours are switched.

import { followSwitches } from "./switches.js";

followSwitches(() => {});
