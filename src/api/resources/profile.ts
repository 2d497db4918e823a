import { call } from '../call.ts'
import { validationError } from '../check.ts'
import { CheckedProfilePatch, type ProfilePatch } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

/** Changes the given fields. The answer may be empty: request the profile again. */
export const patchProfile = async (body: ProfilePatch, signal?: AbortSignal) =>
  validationError(CheckedProfilePatch, body) ?? call(nothing, { path: '/v1/user', method: 'PATCH', body, signal })
