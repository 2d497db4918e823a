import { fromPromise } from 'xstate'
import { getStreams } from '../../api/resources/streams.ts'
import type { PagesReply, PagesRequest } from '../../machines/streams/pages.ts'

export const fetchPages = ({ query, pages }: PagesRequest, signal: AbortSignal): Promise<PagesReply> =>
  Promise.all(pages.map(async (page) => ({ page, reply: await getStreams(query, page, signal) })))

export const pagesActor = fromPromise<PagesReply, PagesRequest>(({ input, signal }) => fetchPages(input, signal))
