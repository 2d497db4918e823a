export interface Device {
  /** Product names; '' if the user agent doesn't name one. */
  browser: string
  system: string
  kind: 'desktop' | 'phone' | 'tablet' | 'program'
}

const browsers: readonly [string, RegExp][] = [
  ['Yandex Browser', /YaBrowser\/(\d+)/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /(?:OPR|Opera)\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|Chromium|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/],
]

const systems: readonly [string, RegExp][] = [
  ['iPadOS', /iPad/],
  ['iOS', /iPhone|iPod/],
  ['Android', /Android/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
]

/** Browser, operating system and kind of device, as the user agent string names them. */
export function deviceOf(userAgent: string): Device {
  const found = browsers.find(([, pattern]) => pattern.test(userAgent))
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? ''
  if (found === undefined) {
    const program = /^([^\s/()]+)(?:\/[\w.]+)?/.exec(userAgent)?.[1] ?? ''
    return {
      browser: program === 'Mozilla' ? '' : program,
      system,
      kind: program === 'Mozilla' ? 'desktop' : 'program',
    }
  }
  const [name, pattern] = found
  const version = pattern.exec(userAgent)?.[1] ?? ''
  return { browser: `${name} ${version}`.trim(), system, kind: kindOf(userAgent) }
}

function kindOf(userAgent: string): Device['kind'] {
  if (/iPad|Tablet/.test(userAgent) || (/Android/.test(userAgent) && !/Mobile/.test(userAgent))) return 'tablet'
  return /Mobi|iPhone|iPod/.test(userAgent) ? 'phone' : 'desktop'
}
