import type * as z from 'zod/mini'
import { call, pathSegment, urlOf } from '../call.ts'
import { ExportCreated, type ExportBody, Exports } from '../contract/exports.ts'
import { nothing } from '../contract/wire.ts'

const pathOf = (id: string) => `/v1/export/${pathSegment(id)}`

/** The calls of this file: only with the feature `exports`. */
export const getExports = (signal?: AbortSignal) => call(Exports, { path: '/v1/exports', signal })

export const addExport = (body: z.input<typeof ExportBody>, signal?: AbortSignal) =>
  call(ExportCreated, { path: '/v1/exports', method: 'POST', body, signal })

/** Deletes an export, or cancels it if it isn't ready. */
export const removeExport = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'DELETE', signal })

/** The URL of the ZIP. */
export const exportUrl = (id: string): string => urlOf(`${pathOf(id)}/file`)
