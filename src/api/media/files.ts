const maxLength = 180
/** Of a longer name so much of the end stays: the time, the number of the part and the extension. */
const endLength = 60

/** Makes a text a file name that every file system accepts; leaves out the middle of a long one. */
export function fileName(text: string): string {
  const name = text.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-')
  if (name.length <= maxLength) return name
  return `${name.slice(0, maxLength - endLength - 1)}…${name.slice(-endLength)}`.toWellFormed()
}

/** Has the browser save a file; the URL stays for a minute, as some browsers read it after the click. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
