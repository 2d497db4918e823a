import process from 'node:process'

const [major = 0] = process.versions.node.split('.').map(Number)

if (major < 26) {
  process.stderr.write(
    `Sightline runs on Node 26; this is Node ${process.versions.node}.\n` +
      'Start it with "npm start", which installs the right one ' +
      '(where npm ignores install scripts: npm rebuild node --ignore-scripts=false).\n',
  )
  process.exit(1)
}

// Each disk that hangs holds about five threads, of which there are four by default. Many more take much memory.
process.env['UV_THREADPOOL_SIZE'] ??= '12'

// Imported dynamically: an older Node can't parse these files.
const { main } = await import('./commands/commands.ts')
const { guarded } = await import('./guarded.ts')

// A reader of the output that is gone, as `tee` after Ctrl-C, or a full disk ends neither a command nor the server. But
// a report that can't be written is a failure.
let isOutputLost = false
const noteError = ({ code }: NodeJS.ErrnoException): void => {
  isOutputLost ||= code !== 'EPIPE'
}
for (const output of [process.stdout, process.stderr]) output.on('error', guarded('output: error', noteError))

const code = await main(process.argv.slice(2), process.env)
process.exit(code === 0 && isOutputLost ? 1 : code)
