import { fromPromise } from 'xstate'
import { signIn } from '../../api/resources/session.ts'
import { signInMachine } from '../../machines/session/sign-in.machine.ts'
import { SignInPage } from '../../views/sign-in/SignInPage.tsx'
import { definePage } from '../page.ts'

const preload = () =>
  void import('./first-page.ts').then(({ preloadFirstPage }) => preloadFirstPage()).catch(() => null)

const loadPasskeys = () => import('./passkey.ts')

export const page = definePage({
  logic: signInMachine.provide({
    actions: { preload },
    actors: {
      signIn: fromPromise(({ input, signal }) => signIn(input, signal)),
      beginPasskey: fromPromise(async ({ signal }) => (await loadPasskeys()).begin(signal)),
      choosePasskey: fromPromise(async ({ input, signal }) => (await loadPasskeys()).choose(input, signal)),
      verifyPasskey: fromPromise(async ({ input, signal }) => (await loadPasskeys()).verify(input, signal)),
    },
  }),
  View: SignInPage,
})
