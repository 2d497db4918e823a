/** Paths of the first channel as makers set their cameras up; the substream is empty where it has no usual one. */
export interface MakerAddresses {
  readonly maker: string
  readonly main: string
  readonly substream: string
}

export const makers: readonly MakerAddresses[] = [
  { maker: 'Axis', main: '/axis-media/media.amp', substream: '/axis-media/media.amp?resolution=640x360' },
  { maker: 'Bosch', main: '/?inst=1', substream: '/?inst=2' },
  {
    maker: 'Dahua',
    main: '/cam/realmonitor?channel=1&subtype=0',
    substream: '/cam/realmonitor?channel=1&subtype=1',
  },
  { maker: 'Hanwha', main: '/profile2/media.smp', substream: '' },
  { maker: 'Hikvision', main: '/Streaming/Channels/101', substream: '/Streaming/Channels/102' },
  { maker: 'i-PRO', main: '/MediaInput/h264/stream_1', substream: '/MediaInput/h264/stream_2' },
  { maker: 'Milesight', main: '/main', substream: '/sub' },
  { maker: 'Reolink', main: '/h264Preview_01_main', substream: '/h264Preview_01_sub' },
  { maker: 'TP-Link', main: '/stream1', substream: '/stream2' },
  { maker: 'Uniview', main: '/media/video1', substream: '/media/video2' },
]

/** The host of an address that is typed in part or whole, with its brackets; '' if there is none. */
export function hostIn(typed: string): string {
  const rest = typed.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? ''
  return /^(?:\[[\da-f:.]+\]|[\p{L}\d._-]+)(?=:\d+$|$)/iu.exec(authority.replace(/^.*@/, ''))?.[0] ?? ''
}

/** The usual addresses of a maker's camera at the host of what is typed; RTSP at its usual port. */
export function usualAddresses(typed: string, { main, substream }: MakerAddresses) {
  const start = `rtsp://${hostIn(typed)}:554`
  return { streamSource: `${start}${main}`, substreamSource: substream === '' ? '' : `${start}${substream}` }
}
