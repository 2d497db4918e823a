/** What views select of any machine. */
export const selectContext = <Context>({ context }: { context: Context }): Context => context

export const selectIsBusy = (snapshot: { hasTag: (tag: 'busy') => boolean }): boolean => snapshot.hasTag('busy')
