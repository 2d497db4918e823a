import type * as z from 'zod/mini'
import { call, pathSegment, urlOf } from '../call.ts'
import { ExportCreated, type ExportBody, Exports } from '../contract/exports.ts'
import { nothing } from '../contract/wire.ts'

const one = (id: string) => `/v1/export/${pathSegment(id)}`

/** All of these only where the feature `exports` is announced. */
export const getExports = (signal?: AbortSignal) => call(Exports, { path: '/v1/exports', signal })

export const addExport = (body: z.input<typeof ExportBody>, signal?: AbortSignal) =>
  call(ExportCreated, { path: '/v1/exports', method: 'POST', body, signal })

/** Cancels one that is being made. */
export const removeExport = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: one(id), method: 'DELETE', signal })

/** Where the browser downloads it from. */
export const exportUrl = (id: string): string => urlOf(`${one(id)}/file`)
