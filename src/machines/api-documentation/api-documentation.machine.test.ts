import { fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { OpenApiDocument } from '../../api/contract/open-api.ts'
import type { PlainRequest, PlainResponse } from '../../api/resources/open-api.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import {
  type ApiDocumentationEvent,
  type Documentation,
  apiDocumentationMachine,
  selectedOf,
} from './api-documentation.machine.ts'

const document = OpenApiDocument.parse({
  info: { title: 'Sightline', version: '1' },
  paths: {
    '/v1/streams': {
      get: {
        tags: ['streams'],
        summary: 'Lists streams',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'string' } }],
      },
    },
    '/v1/user/{login}': {
      patch: {
        tags: ['users'],
        parameters: [{ name: 'login', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { email: { type: 'string' } } } } },
        },
      },
      delete: {
        tags: ['users'],
        parameters: [{ name: 'login', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
})
const documentation: Documentation = {
  document,
  baseUrl: 'https://host/',
  fetchedAt: Date.parse('2026-11-21T08:00:00Z'),
}
const answer: PlainResponse = { status: 200, ms: 4, headers: [], content: { kind: 'text', text: '{}' } }

const open = (send: (request: PlainRequest) => Promise<PlainResponse> = async () => answer) => {
  const sent: PlainRequest[] = []
  const written: (string | null)[] = []
  const page = openPage(
    apiDocumentationMachine.provide({
      actors: {
        fetchDocument: fromPromise(async () => ok(documentation)),
        sendRequest: fromPromise(({ input: { request } }) => {
          sent.push(request)
          return send(request)
        }),
      },
      actions: { writeSelected: (_args, { id }) => written.push(id) },
    }),
    pageInput(),
  )
  return { ...page, sent, written, send: (event: ApiDocumentationEvent) => page.send(event) }
}

describe('the API documentation', () => {
  test('a request is filled in and sent with the session, and its response is shown', async () => {
    const { send, sent, written, context } = open()
    await settle()
    send({ type: 'operation.selected', id: 'GET /v1/streams' })
    send({ type: 'parameter.edited', name: 'page', value: ' 2 ' })
    send({ type: 'request.submitted' })
    await settle()
    const request = { method: 'GET', path: '/v1/streams?page=2', headers: {}, body: null }
    expect({ sent, written, outcomes: context().outcomes }).toEqual({
      sent: [request],
      written: ['GET /v1/streams'],
      outcomes: { 'GET /v1/streams': { request, response: answer } },
    })
  })

  test('a pasted token authenticates the request in place of the session', async () => {
    const { send, sent } = open()
    await settle()
    send({ type: 'operation.selected', id: 'PATCH /v1/user/{login}' })
    send({ type: 'parameter.edited', name: 'login', value: 'a/b' })
    send({ type: 'body.edited', body: '{"email":"a@b"}' })
    send({ type: 'token.edited', token: ' secret ' })
    send({ type: 'request.submitted' })
    await settle()
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: '/v1/user/a%2Fb',
        headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
        body: '{"email":"a@b"}',
      },
    ])
  })

  test('a request with a missing parameter or invalid JSON is not sent', async () => {
    const { send, sent, context } = open()
    await settle()
    send({ type: 'operation.selected', id: 'PATCH /v1/user/{login}' })
    send({ type: 'request.submitted' })
    send({ type: 'parameter.edited', name: 'login', value: 'ann' })
    send({ type: 'body.edited', body: '{' })
    send({ type: 'request.submitted' })
    await settle()
    expect({ sent, hasErrors: context().hasErrors }).toEqual({ sent: [], hasErrors: true })
  })

  test('a DELETE is confirmed first', async () => {
    const { send, sent, value } = open()
    await settle()
    send({ type: 'operation.selected', id: 'DELETE /v1/user/{login}' })
    send({ type: 'parameter.edited', name: 'login', value: 'ann' })
    send({ type: 'request.submitted' })
    expect({ value: value(), sent }).toEqual({ value: { open: 'confirming' }, sent: [] })
    send({ type: 'request.confirmed' })
    await settle()
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /v1/user/ann'])
  })

  test('a request without a response says so; selecting another operation drops the response', async () => {
    const { send, context } = open(() => Promise.reject(new Error('away')))
    await settle()
    send({ type: 'operation.selected', id: 'GET /v1/streams' })
    send({ type: 'request.submitted' })
    await settle()
    expect(context().outcomes['GET /v1/streams']?.response).toBeNull()
    send({ type: 'request.submitted' })
    send({ type: 'operation.selected', id: 'DELETE /v1/user/{login}' })
    await settle()
    expect(context().outcomes['DELETE /v1/user/{login}']).toBeUndefined()
    expect(context().sent).toBeNull()
  })

  test('editing fields while a request is in progress does not change the request that is shown', async () => {
    const { promise, resolve } = Promise.withResolvers<PlainResponse>()
    const { send, sent, context } = open(() => promise)
    await settle()
    send({ type: 'operation.selected', id: 'GET /v1/streams' })
    send({ type: 'parameter.edited', name: 'page', value: '2' })
    send({ type: 'request.submitted' })
    send({ type: 'parameter.edited', name: 'page', value: '3' })
    send({ type: 'token.edited', token: 'secret' })
    resolve(answer)
    await settle()
    expect(context().outcomes['GET /v1/streams']).toEqual({ request: sent[0], response: answer })
  })

  test('the operation in the address is selected', async () => {
    const input = { ...pageInput(), address: { pathname: '/swagger', search: '?call=GET+%2Fv1%2Fstreams', hash: '' } }
    const page = openPage(
      apiDocumentationMachine.provide({ actors: { fetchDocument: fromPromise(async () => ok(documentation)) } }),
      input,
    )
    await settle()
    expect(selectedOf(page.context())?.operation.summary).toBe('Lists streams')
  })

  test('every edge of the chart is walked', () => {
    const { declared, covered, strayed } = walkEdges(apiDocumentationMachine, {
      model: apiDocumentationMachine,
      input: pageInput(),
      events: [
        { type: 'resource.retried' },
        { type: 'search.edited', search: 'a' },
        { type: 'operation.selected', id: 'GET /v1/streams' },
        { type: 'operation.selected', id: 'DELETE /v1/user/{login}' },
        { type: 'parameter.edited', name: 'login', value: 'ann' },
        { type: 'body.edited', body: '{}' },
        { type: 'token.edited', token: 't' },
        { type: 'request.submitted' },
        { type: 'request.confirmed' },
        { type: 'request.cancelled' },
        { type: 'xstate.done.actor.fetchDocument', output: ok(documentation) },
        { type: 'xstate.done.actor.fetchDocument', output: refused(500, '') },
        { type: 'xstate.error.actor.fetchDocument', error: new Error('away') },
        { type: 'xstate.done.actor.sendRequest', output: answer },
        { type: 'xstate.error.actor.sendRequest', error: new Error('away') },
      ],
      name: ({ value, context }) => JSON.stringify([value, context.selected, Object.keys(context.fields)]),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
