import type { StreamsPage } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { AnsweredPage } from './listing.ts'
import type { StreamsQuery } from './preferences.ts'

export interface PagesRequest {
  query: StreamsQuery
  pages: readonly number[]
}

export type PagesReply = readonly { page: number; reply: Reply<StreamsPage> }[]

export const answeredIn = (answers: PagesReply): readonly AnsweredPage[] =>
  answers.flatMap(({ page, reply }) => (reply.ok ? [{ page, answer: reply.value }] : []))

export const apiErrorIn = (answers: PagesReply): ApiError | null =>
  answers.reduce<ApiError | null>((found, { reply }) => found ?? (reply.ok ? null : reply.apiError), null)
