import { hasHiddenCredentials } from './source-credentials.ts'

/** Default RTSP paths of the first channel by manufacturer; `substream` is '' if it has no default. */
export interface ManufacturerAddresses {
  readonly manufacturer: string
  readonly main: string
  readonly substream: string
}

export const manufacturers: readonly ManufacturerAddresses[] = [
  { manufacturer: 'Axis', main: '/axis-media/media.amp', substream: '/axis-media/media.amp?resolution=640x360' },
  { manufacturer: 'Bosch', main: '/?inst=1', substream: '/?inst=2' },
  {
    manufacturer: 'Dahua',
    main: '/cam/realmonitor?channel=1&subtype=0',
    substream: '/cam/realmonitor?channel=1&subtype=1',
  },
  { manufacturer: 'Hanwha', main: '/profile2/media.smp', substream: '' },
  { manufacturer: 'Hikvision', main: '/Streaming/Channels/101', substream: '/Streaming/Channels/102' },
  { manufacturer: 'i-PRO', main: '/MediaInput/h264/stream_1', substream: '/MediaInput/h264/stream_2' },
  { manufacturer: 'Milesight', main: '/main', substream: '/sub' },
  { manufacturer: 'Reolink', main: '/h264Preview_01_main', substream: '/h264Preview_01_sub' },
  { manufacturer: 'TP-Link', main: '/stream1', substream: '/stream2' },
  { manufacturer: 'Uniview', main: '/media/video1', substream: '/media/video2' },
]

/** The host of a URL, or of the beginning of one, as typed; IPv6 with brackets; '' if there is none. */
export function hostIn(typed: string): string {
  const rest = typed.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? ''
  return /^(?:\[[\da-f:.]+\]|[\p{L}\d._-]+)(?=:\d+$|$)/iu.exec(authority.replace(/^.*@/, ''))?.[0] ?? ''
}

/**
 * The default URLs of a manufacturer's camera, at the host of the typed URL and the default port of RTSP. Hidden
 * credentials stay: they are kept, or the form says why they can't be.
 */
export function defaultAddresses(typed: string, { main, substream }: ManufacturerAddresses) {
  const start = `rtsp://${hasHiddenCredentials(typed) ? '***@' : ''}${hostIn(typed)}:554`
  return { streamSource: `${start}${main}`, substreamSource: substream === '' ? '' : `${start}${substream}` }
}
