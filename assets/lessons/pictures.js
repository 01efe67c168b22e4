// Which module draws the picture of a lesson.

import { makePicture as circle } from "./circle.js";
import { makePicture as graph } from "./graph.js";
import { makePicture as plane } from "./plane.js";
import { makePicture as training } from "./training.js";

export const PICTURES = { plane, circle, training, graph };
