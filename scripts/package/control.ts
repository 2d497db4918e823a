import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { version } from '../../server/version.ts'

/** Who builds the package, by Debian's usual variables. */
const { DEBFULLNAME = 'The Sightline authors', DEBEMAIL = 'sightline@example.org' } = process.env
const maintainer = `${DEBFULLNAME} <${DEBEMAIL}>`

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('DEBIAN') && statSync(join(folder, path)).isFile())
    .toSorted()

const kibOf = (folder: string): number =>
  Math.ceil(filesOf(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) / 1024)

export const dependencies = [
  'adduser',
  'debconf (>= 0.5) | debconf-2.0',
  'ffmpeg',
  'iproute2',
  'libatomic1',
  'libc6 (>= 2.28)',
  'libgcc-s1',
  'libstdc++6 (>= 8)',
]

/** The control file of the package in `folder`. */
export const control = (folder: string): string => `Package: sightline
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${kibOf(folder)}
Depends: ${dependencies.join(', ')}
Recommends: ca-certificates
Suggests: postgresql, nginx | caddy
Section: video
Priority: optional
Description: video surveillance server and its web console
 Records IP cameras (H.264, H.265, MJPEG; RTSP, HTTP) and shows them in the
 browser: live view, an archive with one timeline, mosaics, sharing, users and
 rights, in English and Russian.
 .
 The package has its own Node.
`

/** The changelog in Debian's format; the product's own is CHANGELOG.md. */
export const debianChangelog = (date: Date): string => {
  const stamp = date.toUTCString().replace('GMT', '+0000')
  return `sightline (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${stamp}\n`
}

export const md5sums = (folder: string): string =>
  filesOf(folder)
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('')
