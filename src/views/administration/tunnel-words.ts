import { useLingui } from '@lingui/react/macro'

/** Translates the failure reasons of the embedded server; others are shown as received. */
export function useTunnelReason(): (reason: string) => string {
  const { t } = useLingui()
  return (reason) => {
    if (reason === 'It told no address') return t`The program printed no address`
    const [, address] = /^Nothing answered at (.+)$/.exec(reason) ?? []
    if (address !== undefined) return t`This server doesn't answer at ${address}`
    const [, program] = /^(.+) could not be started$/.exec(reason) ?? []
    if (program !== undefined) return t`${program} could not be started`
    const [, signal] = /^It was ended by (\w+)$/.exec(reason) ?? []
    if (signal !== undefined) return t`The program was ended by ${signal}`
    const [, code, output] = /^It ended with code (\d+)(?:: (.+))?$/.exec(reason) ?? []
    if (code === undefined) return reason
    return output === undefined
      ? t`The program ended with code ${code}`
      : t`The program ended with code ${code}: ${output}`
  }
}
