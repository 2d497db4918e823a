import { call, callForBlob, pathSegment } from '../call.ts'
import { Plan, type PlanBody, type PlanPatch, Plans } from '../contract/plans.ts'
import { nothing } from '../contract/wire.ts'

const pathOf = (id: string) => `/v1/plan/${pathSegment(id)}`

/** The calls of this file: only with the feature `plans`; only administrators may change plans. */
export const getPlans = (signal?: AbortSignal) => call(Plans, { path: '/v1/plans', signal })

/** One plan with the streams of its cameras. */
export const getPlan = (id: string, signal?: AbortSignal) => call(Plan, { path: pathOf(id), signal })

export const getPlanPicture = (id: string, signal?: AbortSignal) =>
  callForBlob({ path: `${pathOf(id)}/picture`, signal })

export const addPlan = (body: PlanBody, signal?: AbortSignal) =>
  call(Plan, { path: '/v1/plans', method: 'POST', body, signal })

export const changePlan = (id: string, body: PlanPatch, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'PATCH', body, signal })

/** The blob's type is sent as content-type. */
export const setPlanPicture = (id: string, picture: Blob, signal?: AbortSignal) =>
  call(nothing, { path: `${pathOf(id)}/picture`, method: 'PUT', body: picture, signal })

export const removePlan = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'DELETE', signal })
