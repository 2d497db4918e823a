import { fromPromise } from 'xstate'
import { urlOf } from '../../api/call.ts'
import { mapReply } from '../../api/map-reply.ts'
import { getOpenApi, sendPlain } from '../../api/resources/open-api.ts'
import { apiDocumentationMachine } from '../../machines/api-documentation/api-documentation.machine.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { ApiDocumentationPage } from '../../views/api-documentation/ApiDocumentationPage.tsx'
import { definePage } from '../page.ts'
import { writeAddress } from '../shared/page-address.ts'

export const page = definePage({
  logic: apiDocumentationMachine.provide({
    actors: {
      fetchDocument: fromPromise(async ({ signal }) =>
        mapReply(await getOpenApi(signal), (document) => ({
          document,
          baseUrl: urlOf('/'),
          fetchedAt: Date.now(),
        })),
      ),
      sendRequest: fromPromise(({ input: { request }, signal }) => sendPlain(request, signal)),
    },
    actions: {
      writeSelected: ({ system }, { id }) =>
        writeAddress(
          system,
          pathTo('swagger') + (id === null ? '' : `?${new URLSearchParams({ call: id }).toString()}`),
          {
            replace: true,
          },
        ),
    },
  }),
  View: ApiDocumentationPage,
})
