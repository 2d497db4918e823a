import type { ControllerState } from './controller-state.ts'

/**
 * Reports a press of Play or Pause outside of the page: in the window of picture in picture, in the full screen of an
 * iPhone, on a headset or a keyboard. What the browser itself pauses while the page is hidden isn't one.
 */
export function reportPressedOutside(state: ControllerState, isFollowing: () => boolean): void {
  const video = state.attached?.video
  const { isPlaying, rate } = state.requested
  if (video === undefined || !state.isLoaded || isFollowing() || rate < 0 || video.ended || video.seeking) return
  if (document.hidden && document.pictureInPictureElement !== video) return
  if (video.paused === isPlaying) state.report({ type: isPlaying ? 'media.pauseRequested' : 'media.playRequested' })
}
