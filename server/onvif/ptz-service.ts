import type { Preset, PtzAbilities, Velocity } from '../../src/api/contract/ptz.ts'
import { CameraFailure, type CameraClient } from './client.ts'
import { maxTokenLength, type ControlProfile } from './profiles.ts'
import { namespaceOf, undefinedForFault } from './services.ts'
import { childrenOf, escapeXml, find, textAt, type Element } from './xml.ts'

export type PtzCommand =
  | { kind: 'move'; velocity: Velocity }
  | { kind: 'stop' }
  | { kind: 'preset'; token: string }
  | { kind: 'home' }

export type PtzService = {
  abilities: PtzAbilities
  perform: (command: PtzCommand) => Promise<void>
  presets: () => Promise<Preset[]>
  /** Saves the camera's present position. */
  savePreset: (name: string) => Promise<Preset>
  removePreset: (token: string) => Promise<void>
}

const namespace = namespaceOf('ptz')
const schema = 'http://www.onvif.org/ver10/schema'
const maxPresets = 256
/** After this the camera stops by itself, for when the server can't reach it any more. */
const ownTimeout = '<Timeout>PT2S</Timeout>'

const allAbilities: PtzAbilities = { move: true, zoom: true, presets: true, home: false }

const abilitiesOf = (node: Element | undefined): PtzAbilities => {
  if (node === undefined) return allAbilities
  const has = (name: string) => find(node, 'SupportedPTZSpaces', name) !== undefined
  return {
    move: has('ContinuousPanTiltVelocitySpace'),
    zoom: has('ContinuousZoomVelocitySpace'),
    presets: textAt(node, 'MaximumNumberOfPresets') !== '0',
    home: /^(true|1)$/.test(textAt(node, 'HomeSupported')),
  }
}

const presetOf = (preset: Element): Preset | undefined => {
  const token = preset.attributes.get('token') ?? ''
  if (token === '' || token.length > maxTokenLength) return undefined
  return { token, name: textAt(preset, 'Name') }
}

export const ptzServiceOf = async (
  call: CameraClient,
  url: URL,
  { token, ptzNode }: ControlProfile,
): Promise<PtzService> => {
  const ask = (name: string, content: string) => call(url, `<${name} xmlns="${namespace}">${content}</${name}>`)
  const profile = `<ProfileToken>${escapeXml(token)}</ProfileToken>`
  const presetToken = (preset: string) => `<PresetToken>${escapeXml(preset)}</PresetToken>`
  const nodes = await ask('GetNodes', '').catch(undefinedForFault)
  const abilities = abilitiesOf(
    childrenOf(nodes, 'PTZNode').find((node) => node.attributes.get('token') === ptzNode) ?? find(nodes, 'PTZNode'),
  )
  let timeout = ownTimeout

  const move = async ({ pan, tilt, zoom }: Velocity): Promise<void> => {
    const panTiltElement = abilities.move ? `<PanTilt xmlns="${schema}" x="${pan}" y="${tilt}"/>` : ''
    const zoomElement = abilities.zoom ? `<Zoom xmlns="${schema}" x="${zoom}"/>` : ''
    const velocity = `<Velocity>${panTiltElement}${zoomElement}</Velocity>`
    const send = (end: string) => ask('ContinuousMove', `${profile}${velocity}${end}`)
    const answer = await (timeout === '' ? send('') : send(timeout).catch(undefinedForFault))
    if (answer !== undefined) return
    // Some cameras accept no timeout, or not this one. If this is refused, too, the timeout wasn't the reason.
    await send('')
    timeout = ''
  }

  const perform = async (command: PtzCommand): Promise<void> => {
    switch (command.kind) {
      case 'move':
        return move(command.velocity)
      case 'stop':
        await ask('Stop', `${profile}<PanTilt>${abilities.move}</PanTilt><Zoom>${abilities.zoom}</Zoom>`)
        return undefined
      case 'preset':
        await ask('GotoPreset', profile + presetToken(command.token))
        return undefined
      case 'home':
        await ask('GotoHomePosition', profile)
        return undefined
    }
  }

  return {
    abilities,
    perform,
    presets: async () =>
      childrenOf(await ask('GetPresets', profile), 'Preset')
        .slice(0, maxPresets)
        .flatMap((preset) => presetOf(preset) ?? []),
    savePreset: async (name) => {
      const answer = await ask('SetPreset', `${profile}<PresetName>${escapeXml(name)}</PresetName>`)
      const saved = find(answer, 'PresetToken')?.text.trim() ?? ''
      if (saved === '' || saved.length > maxTokenLength) throw new CameraFailure('Not an ONVIF camera')
      return { token: saved, name }
    },
    removePreset: async (preset) => {
      await ask('RemovePreset', profile + presetToken(preset))
    },
  }
}
