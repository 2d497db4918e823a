/**
 * Edges that guard against what no screen can bring about, each with its reason. The report fails where one is walked
 * after all.
 */
export const unwalkable: Readonly<Record<string, string>> = {
  'media.ready engine.windowMoved, otherwise':
    'a stretch whose end is still to come is a mosaic’s alone (e2e/real/mosaic-sync.spec.ts); those of the player end in the past',
  'media.ready engine.failed, when isUnplayable':
    'what a browser can not decode is known when its playlist is loaded; the refusals of loading hold for what plays, too',
}
