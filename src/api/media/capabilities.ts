/**
 * What a browser can do with a `<video>`. `fullScreen`: any element, only the `<video>` itself (iPhones), or nothing.
 * `hasVolume`: scripts can set the volume; iPhones and iPads have hardware keys for it.
 */
export interface Capabilities {
  readonly fullScreen: 'element' | 'video' | 'none'
  readonly hasPictureInPicture: boolean
  readonly hasVolume: boolean
}

declare global {
  interface HTMLVideoElement {
    webkitEnterFullscreen?(): void
    webkitExitFullscreen?(): void
  }
}

export function capabilitiesOf(page: Document, video: HTMLVideoElement): Capabilities {
  const before = video.volume
  video.volume = before === 0.5 ? 1 : 0.5
  const withoutElements = 'webkitEnterFullscreen' in video ? 'video' : 'none'
  return {
    fullScreen: 'requestFullscreen' in video ? 'element' : withoutElements,
    hasPictureInPicture: 'requestPictureInPicture' in video && page.pictureInPictureEnabled,
    hasVolume: video.volume !== before,
  }
}
