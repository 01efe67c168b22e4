// Which module draws the picture of a lesson.

import { makePicture as plane } from "./plane.js";

export const PICTURES = { plane };
