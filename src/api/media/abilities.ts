/**
 * What a browser lets a player do. The screen is filled by any element, by a `<video>` alone, as on iPhones, or not at
 * all; where the device's own keys set the volume, as on iPhones and iPads, a page can mute and no more.
 */
export interface Abilities {
  readonly fillsScreen: 'element' | 'video' | 'none'
  readonly floats: boolean
  readonly setsVolume: boolean
}

declare global {
  interface HTMLVideoElement {
    webkitEnterFullscreen?(): void
    webkitExitFullscreen?(): void
  }
}

/** Asks a `<video>` that nobody uses. */
export function abilitiesOf(page: Document, video: HTMLVideoElement): Abilities {
  const before = video.volume
  video.volume = before === 0.5 ? 1 : 0.5
  const byItself = 'webkitEnterFullscreen' in video ? 'video' : 'none'
  return {
    fillsScreen: 'requestFullscreen' in video ? 'element' : byItself,
    floats: 'requestPictureInPicture' in video && page.pictureInPictureEnabled,
    setsVolume: video.volume !== before,
  }
}
