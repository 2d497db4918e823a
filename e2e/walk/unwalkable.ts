const codecIsKnown =
  'a codec that the browser can’t play is refused when its playlist is loaded, which the edges of loading show'
const codecWasPlayed = 'a switch leads to a codec that the browser has played before'

/** Edges that no screen can show, each with the reason. The report fails if one is walked. */
export const unwalkable: Readonly<Record<string, string>> = {
  'media.ready engine.windowMoved, otherwise':
    'only a mosaic loads a range that ends in the future (e2e/real/mosaic-sync.spec.ts); those of the player end in the past',
  'media.ready engine.failed, when hasOtherRendition': codecIsKnown,
  'media.switching engine.failed, when hasOtherRendition': codecWasPlayed,
  'media.switching engine.failed, when isUnplayable': codecWasPlayed,
  'media.switching engine.failed, when isForbidden': 'a right that ends within the half second of a switch',
  'media.switching engine.failed, otherwise': 'a server that fails within the half second of a switch',
  'media.switching always, when isOtherRendition': 'a picture that changes twice within the half second of a switch',
  'timeline timeline.permitted': 'the walks sign in as an administrator, whose right to the archive is never taken',
  'media media.lossReported': 'only a mosaic tells its pictures that a camera is lost',
  'media media.sharedRateChanged': 'only the pictures of a mosaic share a clock',
  'media.ready engine.failed, when isUnplayable': codecIsKnown,
  'player.view.archive.reversing.searching timeline.nextFound, when isNothing':
    'the picture is at the start of a fragment then, which is itself the next one',
}
