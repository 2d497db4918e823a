import type { Camera, FoundCamera } from '../../api/contract/onvif.ts'
import type { ApiError } from '../../api/reply.ts'
import { cameraName, chooseProfiles, type SelectedCamera, withNamesApart } from './camera-sources.ts'
import type { Credentials } from './source-credentials.ts'

export type CameraOutcome =
  | { isConnected: true; camera: Camera; credentials: Credentials }
  | { isConnected: false; apiError: ApiError }

export interface CameraQuery extends Credentials {
  readonly address: string
}

export interface PictureQuery extends Credentials {
  /** URLs of pictures and streams, tried one after another. */
  readonly urls: readonly string[]
}

export interface FindCamerasContext {
  cameras: readonly FoundCamera[]
  searchError: ApiError | null
  /** The ONVIF address as typed. */
  address: string
  chosen: readonly string[]
  credentials: Credentials
  outcomes: Readonly<Record<string, CameraOutcome>>
  /** Ids of the cameras still to be queried, the current one first. */
  queue: readonly string[]
  /** By camera id; null: there is no picture. */
  pictures: Readonly<Record<string, Blob | null>>
  /** The id of the camera whose picture is being fetched. */
  picturing: string
}

export const typedCamera = (address: string): FoundCamera => ({
  id: address,
  address,
  host: address.replace(/^https?:\/\//i, '').replace(/[/:].*$/, ''),
  name: '',
  model: '',
  location: '',
  streams: [],
})

/** The found cameras, and the selected ones that weren't found, such as those added by address. */
export const merged = (before: FindCamerasContext, found: readonly FoundCamera[]): readonly FoundCamera[] => {
  const ids = new Set(found.map(({ id }) => id))
  return [...found, ...before.cameras.filter(({ id }) => !ids.has(id) && before.chosen.includes(id))]
}

export const connectedOutcomeOf = ({ outcomes }: Pick<FindCamerasContext, 'outcomes'>, id: string) => {
  const outcome = outcomes[id]
  return outcome?.isConnected === true ? outcome : undefined
}

const isConnected = (context: Pick<FindCamerasContext, 'outcomes'>, id: string) =>
  connectedOutcomeOf(context, id) !== undefined

export const missingPicture = (context: FindCamerasContext): string | undefined =>
  context.cameras.find(({ id }) => isConnected(context, id) && context.pictures[id] === undefined)?.id

export const selectedCameras = (context: FindCamerasContext): readonly SelectedCamera[] =>
  withNamesApart(
    context.cameras.flatMap((found) => {
      const known = context.chosen.includes(found.id) ? connectedOutcomeOf(context, found.id) : undefined
      const { main, substream } = known === undefined ? {} : chooseProfiles(known.camera)
      if (known === undefined || main === undefined) return []
      return {
        ...known.credentials,
        host: found.host,
        name: cameraName(found, known.camera),
        location: found.location,
        streamSource: main.streamSource,
        substreamSource: substream?.streamSource ?? '',
        'onvif.url': found.address,
        'onvif.profile': main.name,
      }
    }),
  )

export const waitingIds = ({ chosen, outcomes }: FindCamerasContext): readonly string[] =>
  chosen.filter((id) => outcomes[id]?.isConnected !== true)

export const currentAddress = ({ cameras, queue }: FindCamerasContext): string =>
  cameras.find(({ id }) => id === queue[0])?.address ?? ''

export function pictureQuery(context: FindCamerasContext): PictureQuery {
  const known = connectedOutcomeOf(context, context.picturing)
  if (known === undefined) throw new Error('no camera waits for a picture')
  const { camera, credentials } = known
  const { main, substream } = chooseProfiles(camera)
  const urls = [camera.snapshot, (substream ?? main)?.streamSource ?? ''].filter((url) => url !== '')
  return { ...credentials, urls }
}

export const waitingCount = (context: FindCamerasContext): number => waitingIds(context).length
export const selectedCount = (context: FindCamerasContext): number => selectedCameras(context).length
export const areAllChosen = ({ cameras, chosen }: FindCamerasContext): boolean =>
  cameras.length > 0 && cameras.every(({ id }) => chosen.includes(id))
