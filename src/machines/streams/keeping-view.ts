import { addressOf, preferencesOf } from './preferences.ts'
import type { StreamsContext } from './streams.events.ts'

export const mirror = {
  type: 'replaceAddress' as const,
  params: ({ context }: { context: StreamsContext }) => ({ search: addressOf(context.view, context.search) }),
}
export const keepView = [
  {
    type: 'persist' as const,
    params: ({ context }: { context: StreamsContext }) => ({
      preferences: preferencesOf(context.view),
      sortType: context.view.sortType,
    }),
  },
  mirror,
] as const
