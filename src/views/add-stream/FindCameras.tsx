import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, RefreshCw, VideoOff } from 'lucide-react'
import { selectedCount, waitingCount } from '../../machines/stream-pages/found-cameras.ts'
import { selectContext } from '../../machines/selectors.ts'
import fields from '../stream-pages/StreamFields.module.css'
import { useProbeApiError } from '../stream-pages/words.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { StatePanel } from '../ui/State.tsx'
import { CameraCredentials } from './CameraCredentials.tsx'
import { FoundCameras } from './FoundCameras.tsx'
import { type FindCamerasRef, selectIsQuerying, selectIsSearching } from './find-cameras-ref.ts'
import outcomes from './BatchForm.module.css'
import styles from './FindCameras.module.css'

/** Finds cameras by a search or an address, and connects to the selected ones with a login and password. */
export function FindCameras({ actor }: { actor: FindCamerasRef }) {
  const { t } = useLingui()
  const { cameras } = useSelector(actor, selectContext)
  return (
    <div className={fields.form}>
      <Search actor={actor} />
      {cameras.length > 0 && <FoundCameras actor={actor} />}
      <form
        className={styles.typed}
        onSubmit={(event) => {
          event.preventDefault()
          actor.send({ type: 'address.added' })
        }}
      >
        <Typed actor={actor} />
        <Button type="submit">{t`Add to the list`}</Button>
      </form>
      {cameras.length > 0 && <SignIn actor={actor} />}
    </div>
  )
}

function Search({ actor }: { actor: FindCamerasRef }) {
  const { t } = useLingui()
  const { cameras, searchError } = useSelector(actor, selectContext)
  const isSearching = useSelector(actor, selectIsSearching)
  const apiErrorWords = useProbeApiError()
  const search = () => actor.send({ type: 'search.requested' })
  return (
    <>
      <div className={styles.head}>
        <span role="status" className={fields.note}>
          {isSearching
            ? t`Searching the server's networks; this takes a few seconds.`
            : cameras.length > 0 && <Plural value={cameras.length} one="# camera" other="# cameras" />}
        </span>
        {isSearching ? (
          <Button onClick={() => actor.send({ type: 'search.cancelled' })}>{t`Cancel`}</Button>
        ) : (
          <Button icon={<RefreshCw size={16} aria-hidden="true" />} onClick={search}>{t`Search again`}</Button>
        )}
      </div>
      {isSearching && <progress className={styles.progress} aria-label={t`Searching for cameras`} />}
      {searchError !== null && (
        <p className={outcomes.bad} role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          {apiErrorWords(searchError)}
        </p>
      )}
      {!isSearching && searchError === null && cameras.length === 0 && (
        <StatePanel icon={<VideoOff size={20} />} title={t`No cameras found`}>
          <Trans>
            The search finds cameras in the server's own networks that have ONVIF switched on. Add any other camera by
            its address.
          </Trans>
        </StatePanel>
      )}
    </>
  )
}

function Typed({ actor }: { actor: FindCamerasRef }) {
  const { t } = useLingui()
  const { address } = useSelector(actor, selectContext)
  return (
    <TextField
      label={t`Address of another camera`}
      name="cameraAddress"
      placeholder="192.168.1.64"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={1000}
      value={address}
      onChange={(typed) => actor.send({ type: 'address.edited', address: typed })}
    />
  )
}

function SignIn({ actor }: { actor: FindCamerasRef }) {
  const { t } = useLingui()
  const context = useSelector(actor, selectContext)
  const isQuerying = useSelector(actor, selectIsQuerying)
  const waiting = waitingCount(context)
  const selected = selectedCount(context)
  /** The button goes away with the focus, which moves to Connect once that is enabled. */
  const stop = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    flushSync(() => actor.send({ type: 'querying.cancelled' }))
    form?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus()
  }
  return (
    <form
      className={styles.signIn}
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'cameras.queried' })
      }}
    >
      <CameraCredentials
        credentials={context.credentials}
        readOnly={isQuerying}
        onEdit={(credentials) => actor.send({ type: 'credentials.edited', credentials })}
      />
      <p className={fields.note}>
        <Trans>This login and password are sent to the selected cameras. Select only cameras that you know.</Trans>
      </p>
      <div className={fields.submit}>
        <Button
          type="submit"
          variant={selected > 0 ? 'secondary' : 'primary'}
          busy={isQuerying}
          disabled={waiting === 0}
        >
          <Plural value={waiting} _0="Connect" one="Connect to # camera" other="Connect to # cameras" />
        </Button>
        {isQuerying && <Button onClick={stop}>{t`Stop`}</Button>}
        {selected > 0 && (
          <Button variant="primary" disabled={isQuerying} onClick={() => actor.send({ type: 'cameras.chosen' })}>
            <Plural value={selected} one="Continue with # camera" other="Continue with # cameras" />
          </Button>
        )}
      </div>
    </form>
  )
}
