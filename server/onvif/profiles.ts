import { CameraFailure, type CameraClient } from './client.ts'
import { type Services, namespaceOf } from './services.ts'
import { childrenOf, find, textAt, type Element } from './xml.ts'

/** A profile of a camera: where its PTZ is, and which of the camera's sources it shows. */
export type ControlProfile = {
  token: string
  name: string
  /** The PTZ node, '' without PTZ. */
  ptzNode: string
  /** Tokens by which events name this video. */
  sources: readonly string[]
}

const maxProfiles = 32
export const maxTokenLength = 200

const isToken = (text: string): boolean => text !== '' && text.length <= maxTokenLength

const profileOf = (profile: Element): ControlProfile | undefined => {
  const token = profile.attributes.get('token') ?? ''
  if (!isToken(token)) return undefined
  const source = find(profile, 'VideoSourceConfiguration') ?? find(profile, 'Configurations', 'VideoSource')
  const ptz = find(profile, 'PTZConfiguration') ?? find(profile, 'Configurations', 'PTZ')
  return {
    token,
    name: textAt(profile, 'Name'),
    ptzNode: textAt(ptz, 'NodeToken'),
    sources: [source?.attributes.get('token') ?? '', textAt(source, 'SourceToken')].filter(isToken),
  }
}

/** The profiles of a camera, by the older media service where there are both, as its answers are shorter. */
export const controlProfilesOf = async (call: CameraClient, services: Services): Promise<ControlProfile[]> => {
  const { media = services.media2 } = services
  if (media === undefined) throw new CameraFailure('The source has no video')
  const isNew = services.media === undefined
  const types = isNew ? '<Type>VideoSource</Type><Type>PTZ</Type>' : ''
  const namespace = namespaceOf(isNew ? 'media2' : 'media')
  const answer = await call(media, `<GetProfiles xmlns="${namespace}">${types}</GetProfiles>`)
  return childrenOf(answer, 'Profiles')
    .slice(0, maxProfiles)
    .flatMap((profile) => profileOf(profile) ?? [])
}
