import { call, pathSegment } from '../call.ts'
import { Mosaic, MosaicCreated, type MosaicBody, Mosaics } from '../contract/mosaic.ts'
import { nothing } from '../contract/wire.ts'

export const getMosaics = (signal?: AbortSignal) => call(Mosaics, { path: '/v1/mosaics', signal })

/** One mosaic with its streams. `extendLease` extends the lease of its on-demand streams; send it while they play. */
export const getMosaic = (id: string, { extendLease }: { extendLease: boolean }, signal?: AbortSignal) =>
  call(Mosaic, { path: `/v1/mosaic/${pathSegment(id)}`, query: { extend_lease: extendLease || undefined }, signal })

export const createMosaic = (body: MosaicBody, signal?: AbortSignal) =>
  call(MosaicCreated, { path: '/v1/mosaic', method: 'POST', body, signal })

export const saveMosaic = (id: string, body: MosaicBody, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/mosaic/${pathSegment(id)}`, method: 'POST', body, signal })

export const deleteMosaic = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/mosaic/${pathSegment(id)}`, method: 'DELETE', signal })
