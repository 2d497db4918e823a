import { commands } from '../../server/commands/commands.ts'
import { optionTable } from '../../server/configuration/option-table.ts'
import { version } from '../../server/version.ts'

/** Escapes text for roff. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')

const commandPart = ([name, { summary, usage }]: [string, { summary: string; usage: string }]): string =>
  `.SS ${plain(name)}\n${plain(summary)}.\n${name === 'start' ? '' : `.PP\n.EX\n${plain(usage)}\n.EE\n`}`

const optionPart = ({ flag, name, about }: (typeof optionTable)[number]): string =>
  `.TP\n.B ${plain(flag === undefined ? name : `${name}, ${flag}`)}\n${plain(about)}\n`

/** The manual page sightline(8), from the commands and options. `date`: YYYY-MM-DD. */
export const manPage = (date: string): string => `.TH SIGHTLINE 8 ${date} "Sightline ${version}" "System administration"
.SH NAME
sightline \\- video surveillance server and its web console
.SH SYNOPSIS
.B sightline
.RI [ command ]
.RI [ options ]
.SH DESCRIPTION
Records cameras and serves the web console.
The package runs it as
.B sightline.service
with /etc/sightline/sightline.toml, which the commands read too.
A command that root gives runs as the user sightline, so that all files stay its own.
.SH COMMANDS
${Object.entries(commands).map(commandPart).join('')}.SH OPTIONS
Options of the command line go before variables of the environment, and these before the configuration file.
In the file they have the names of the variables.
${optionTable.map(optionPart).join('')}.TP
.B \\-\\-config FILE
${plain('the configuration file, TOML or JSON')}
.TP
.B \\-\\-version
${plain('the version')}
.SH ENVIRONMENT
.TP
.B SIGHTLINE_CONFIG
${plain('the configuration file where no --config is given')}
.TP
.B SETTING_…
${plain('the default of a setting that administrators change in the console; /etc/sightline/sightline.toml names them all')}
.SH FILES
.TP
.I /etc/sightline/sightline.toml
configuration
.TP
.I /var/lib/sightline
database, key of the server, and recordings
.SH EXIT STATUS
0 done, 1 failed, 2 used or configured wrongly, 130 stopped by Ctrl\\-C.
.PP
.B start
exits with 65 if this version can't use the database: a newer version wrote it, the change of its tables failed and was
undone, or the file is damaged.
After 2 and 65 systemd doesn't start the server again.
.SH SEE ALSO
.BR systemctl (1),
.BR journalctl (1),
.BR ffmpeg (1)
`
