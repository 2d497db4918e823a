/** Added to a seek, as a moment rounded down to milliseconds would show the frame before it. */
export const seekNudgeSeconds = 0.002
