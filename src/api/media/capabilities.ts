/** iPhones show only a `<video>` in full screen; iPhones and iPads set the volume by hardware keys only. */
export interface Capabilities {
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

export function capabilitiesOf(page: Document, video: HTMLVideoElement): Capabilities {
  const before = video.volume
  video.volume = before === 0.5 ? 1 : 0.5
  const byItself = 'webkitEnterFullscreen' in video ? 'video' : 'none'
  return {
    fillsScreen: 'requestFullscreen' in video ? 'element' : byItself,
    floats: 'requestPictureInPicture' in video && page.pictureInPictureEnabled,
    setsVolume: video.volume !== before,
  }
}
