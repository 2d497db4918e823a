import { searchOf, preferencesOf } from './preferences.ts'
import type { StreamsContext } from './streams.events.ts'

/** The action that writes the view into the address. */
export const writeView = {
  type: 'replaceAddress' as const,
  params: ({ context }: { context: StreamsContext }) => ({ search: searchOf(context.view, context.search) }),
}
/** The actions that store the view in the browser and write it into the address. */
export const storeView = [
  {
    type: 'storePreferences' as const,
    params: ({ context }: { context: StreamsContext }) => ({
      preferences: preferencesOf(context.view),
      sortType: context.view.sortType,
    }),
  },
  writeView,
] as const
