// Finds the moment of a verdict in its clip.

/** Returns which picture of a clip shows the moment of the verdict. times: of the pictures; back: seconds from the moment to the end. */
export const frameAt = (times, back) => Math.max(0, times.findIndex((at) => at >= times.at(-1) - back));
