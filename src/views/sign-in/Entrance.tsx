import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { languages } from '../../i18n/i18n.ts'
import { useConsole } from '../app/console.ts'
import { Logo } from '../shell/Logo.tsx'
import styles from './Entrance.module.css'

interface EntranceProps {
  title: string
  logo: string
  appTitle: string
  children: ReactNode
}

/** The frame of the pages before signing in: sign-in, password recovery and server initialization. */
export function Entrance({ title, logo, appTitle, children }: EntranceProps) {
  const { t, i18n } = useLingui()
  const { app } = useConsole()
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          {logo === '' ? <Logo size={32} /> : <img src={logo} alt="" />}
          <span>{appTitle}</span>
        </p>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
      <div className={styles.languages} role="group" aria-label={t`Language`}>
        {languages.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            lang={code}
            className={styles.language}
            aria-pressed={i18n.locale === code}
            onClick={() => app.send({ type: 'language.chosen', language: code })}
          >
            {name}
          </button>
        ))}
      </div>
    </main>
  )
}
