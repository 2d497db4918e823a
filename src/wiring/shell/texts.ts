import { loadPart } from '../shared/load-part.ts'

interface Texts {
  copyText: (text: string) => Promise<boolean>
  saveText: (name: string, type: string, text: string) => void
}

/** Copies and saves texts; a toast reports that the code for it could not be loaded. */
export const textPorts = (system: Parameters<typeof loadPart>[0], load: () => Promise<Texts>): Texts => ({
  copyText: async (text) => (await loadPart(system, load, (texts) => texts.copyText(text))) ?? false,
  saveText: (name, type, text) => void loadPart(system, load, (texts) => texts.saveText(name, type, text)),
})
