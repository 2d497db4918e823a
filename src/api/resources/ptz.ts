import { call, pathSegment } from '../call.ts'
import { Preset, type PresetBody, Presets, type PtzBody } from '../contract/ptz.ts'
import { nothing } from '../contract/wire.ts'
import { mapReply } from '../map-reply.ts'

const ptz = (uid: string) => `/v1/stream/${pathSegment(uid)}/ptz`
const timeoutMs = 15_000

/** Only for a stream that announces `ptz`, as the other calls here (docs/wire.md §6.5). */
export const controlCamera = (uid: string, body: PtzBody, signal?: AbortSignal) =>
  call(nothing, { path: ptz(uid), method: 'POST', body, signal, timeoutMs })

export const getPresets = async (uid: string, signal?: AbortSignal) =>
  mapReply(await call(Presets, { path: `${ptz(uid)}/presets`, signal, timeoutMs }), ({ items }) => items)

export const savePreset = (uid: string, body: PresetBody, signal?: AbortSignal) =>
  call(Preset, { path: `${ptz(uid)}/presets`, method: 'POST', body, signal, timeoutMs })

export const removePreset = (uid: string, token: string, signal?: AbortSignal) =>
  call(nothing, { path: `${ptz(uid)}/presets/${pathSegment(token)}`, method: 'DELETE', signal, timeoutMs })
