// When it happened, in a clip.

/** Which picture of a clip shows the moment that a verdict is about. times: of its pictures; back: seconds from it to the end. */
export const frameAt = (times, back) => Math.max(0, times.findIndex((at) => at >= times.at(-1) - back));
