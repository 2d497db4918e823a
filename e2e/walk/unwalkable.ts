/** Edges for situations that no screen can produce, each with its reason. The report fails if one is walked. */
export const unwalkable: Readonly<Record<string, string>> = {
  'media.ready engine.windowMoved, otherwise':
    'a range whose end is still to come is a mosaic’s alone (e2e/real/mosaic-sync.spec.ts); those of the player end in the past',
  'media.ready engine.failed, when hasOtherRendition':
    'what a browser can not decode is known when its playlist is loaded; the refusals of loading hold for what plays, too',
  'media.switching engine.failed, when hasOtherRendition':
    'what is switched to was played by its codec before; the refusals of loading hold for it, too',
  'media.switching engine.failed, when isUnplayable':
    'what is switched to was played by its codec before; the refusals of loading hold for it, too',
  'media.switching engine.failed, when isForbidden': 'a right that ends within the half second of a switch',
  'media.switching engine.failed, otherwise': 'a server that fails within the half second of a switch',
  'media.switching always, when isOtherRendition': 'a picture that changes twice within the half second of a switch',
  'media media.lossReported': 'what a camera lost is reported to the pictures of a mosaic alone',
  'media media.sharedRateChanged': 'the clock that several pictures share is a mosaic’s alone',
  'media.ready engine.failed, when isUnplayable':
    'what a browser can not decode is known when its playlist is loaded; the refusals of loading hold for what plays, too',
}
