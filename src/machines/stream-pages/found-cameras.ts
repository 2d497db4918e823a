import type { Camera, FoundCamera } from '../../api/contract/onvif.ts'
import type { ApiError } from '../../api/reply.ts'
import { cameraName, chooseProfiles, type TakenCamera, withNamesApart } from './camera-sources.ts'
import type { Credentials } from './source-credentials.ts'

export type CameraOutcome =
  | { isKnown: true; camera: Camera; credentials: Credentials }
  | { isKnown: false; apiError: ApiError }

export interface CameraQuestion extends Credentials {
  readonly address: string
}

export interface PictureQuestion extends Credentials {
  /** Addresses of pictures and streams, to be tried one after another. */
  readonly addresses: readonly string[]
}

export interface FindCamerasContext {
  cameras: readonly FoundCamera[]
  searchError: ApiError | null
  /** As it is typed. */
  address: string
  chosen: readonly string[]
  credentials: Credentials
  outcomes: Readonly<Record<string, CameraOutcome>>
  /** Ids of those still to be asked, the current one first. */
  queue: readonly string[]
  /** Null if there is none. */
  pictures: Readonly<Record<string, Blob | null>>
  /** Whose picture is being fetched. */
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

/** What was typed stays, and so does what was asked and is not found this time. */
export const merged = (before: FindCamerasContext, found: readonly FoundCamera[]): readonly FoundCamera[] => {
  const ids = new Set(found.map(({ id }) => id))
  return [...found, ...before.cameras.filter(({ id }) => !ids.has(id) && before.chosen.includes(id))]
}

export const knownOf = ({ outcomes }: Pick<FindCamerasContext, 'outcomes'>, id: string) => {
  const outcome = outcomes[id]
  return outcome?.isKnown === true ? outcome : undefined
}

export const pictureWanted = (context: FindCamerasContext): string | undefined =>
  context.cameras.find(({ id }) => knownOf(context, id) !== undefined && context.pictures[id] === undefined)?.id

export const takenOf = (context: FindCamerasContext): readonly TakenCamera[] =>
  withNamesApart(
    context.cameras.flatMap((found) => {
      const known = context.chosen.includes(found.id) ? knownOf(context, found.id) : undefined
      const { main, substream } = known === undefined ? {} : chooseProfiles(known.camera)
      if (known === undefined || main === undefined) return []
      return {
        ...known.credentials,
        host: found.host,
        name: cameraName(found, known.camera),
        location: found.location,
        streamSource: main.streamSource,
        substreamSource: substream?.streamSource ?? '',
      }
    }),
  )

export const waitingIds = ({ chosen, outcomes }: FindCamerasContext): readonly string[] =>
  chosen.filter((id) => outcomes[id]?.isKnown !== true)

export const currentAddress = ({ cameras, queue }: FindCamerasContext): string =>
  cameras.find(({ id }) => id === queue[0])?.address ?? ''

export function pictureQuestion(context: FindCamerasContext): PictureQuestion {
  const known = knownOf(context, context.picturing)
  if (known === undefined) throw new Error('no picture is wanted')
  const { camera, credentials } = known
  const { main, substream } = chooseProfiles(camera)
  const addresses = [camera.snapshot, (substream ?? main)?.streamSource ?? ''].filter((address) => address !== '')
  return { ...credentials, addresses }
}

export const waitingCount = (context: FindCamerasContext): number => waitingIds(context).length
export const takenCount = (context: FindCamerasContext): number => takenOf(context).length
export const areAllChosen = ({ cameras, chosen }: FindCamerasContext): boolean =>
  cameras.length > 0 && cameras.every(({ id }) => chosen.includes(id))
