import type { Camera, CameraProfile, FoundCamera } from '../../api/contract/onvif.ts'
import type { Sources } from './source-credentials.ts'

const pixelsOf = ({ width, height }: CameraProfile): number => width * height
const isH264OrH265 = ({ codec }: CameraProfile): boolean => codec === 'h264' || codec === 'hevc'
const minSubstreamWidth = 320

export interface ChosenProfiles {
  main: CameraProfile | undefined
  substream: CameraProfile | undefined
}

/**
 * The largest profile becomes the source; the smallest one of at least 320 px in width, if smaller, the substream.
 * Profiles other than H.264 and H.265, which the server would have to transcode, are used only if there are no others.
 */
export function chooseProfiles({ profiles }: Camera): ChosenProfiles {
  const usable = profiles.some(isH264OrH265) ? profiles.filter(isH264OrH265) : profiles
  const bySize = usable.toSorted((one, other) => pixelsOf(other) - pixelsOf(one))
  const [main] = bySize
  const substream = bySize.findLast(
    (profile) => main !== undefined && profile.width >= minSubstreamWidth && pixelsOf(profile) < pixelsOf(main),
  )
  return { main, substream }
}

/** The fields of the form of a new stream, for a camera that answered. */
export interface SelectedCamera extends Sources {
  readonly name: string
  readonly location: string
  readonly 'onvif.url': string
  readonly 'onvif.profile': string
}

export const modelOf = ({ manufacturer, model }: Camera): string =>
  [manufacturer, model].filter((part) => part !== '').join(' ')

/** The name that the camera announces, else its model, else its host. */
export const cameraName = (found: FoundCamera, camera?: Camera): string =>
  found.name || (camera === undefined ? found.model : modelOf(camera)) || found.host

/** Appends the host to each name that several of the cameras have, as cameras of one model often do. */
export function withNamesApart(cameras: readonly (SelectedCamera & { host: string })[]): readonly SelectedCamera[] {
  const count = new Map<string, number>()
  for (const { name } of cameras) count.set(name, (count.get(name) ?? 0) + 1)
  return cameras.map(({ host, ...camera }) =>
    (count.get(camera.name) ?? 0) > 1 && camera.name !== host ? { ...camera, name: `${camera.name} ${host}` } : camera,
  )
}
