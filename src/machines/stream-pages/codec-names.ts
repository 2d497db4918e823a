const codecs: Readonly<Record<string, string>> = {
  h264: 'H.264',
  avc: 'H.264',
  avc1: 'H.264',
  hevc: 'H.265',
  h265: 'H.265',
  hev1: 'H.265',
  hvc1: 'H.265',
  av1: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  mjpeg: 'Motion JPEG',
  mpeg4: 'MPEG-4',
  mpeg2video: 'MPEG-2',
  aac: 'AAC',
  mp4a: 'AAC',
  mp3: 'MP3',
  mp2: 'MP2',
  opus: 'Opus',
  pcm_alaw: 'G.711 A-law',
  pcm_mulaw: 'G.711 µ-law',
  adpcm_g726: 'G.726',
  ac3: 'AC-3',
}

/** The common name of a codec, also from a codec string of a playlist: `avc1.42c01e` is H.264. */
export function codecName(codec: string): string {
  const [name = ''] = codec.toLowerCase().split('.')
  return codecs[name] ?? codec.toUpperCase()
}
