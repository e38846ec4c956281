import { ResourceTemplate, completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A PNG image of one red pixel, as Base64. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A WAV file without samples, as Base64. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (text: string) => ({ type: 'text', text }) as const
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const resource = (uri: string, mimeType: string, body: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: body } }) as const

/** Every tool and prompt needs a description. */
const fixture = { description: 'A fixture of the suite.' }

function addTools(server: McpServer): void {
  server.registerTool('test_simple_text', fixture, () => ({
    content: [text('This is a simple text response for testing.')],
  }))
  server.registerTool('test_image_content', fixture, () => ({ content: [image] }))
  server.registerTool('test_audio_content', fixture, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }))
  server.registerTool('test_embedded_resource', fixture, () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }))
  server.registerTool('test_multiple_content_types', fixture, () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }))
  server.registerTool('test_error_handling', fixture, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_logging', fixture, async ({ mcpReq }) => {
    for (const step of ['started', 'data', 'completed']) await mcpReq.log('info', `Tool execution ${step}`)
    return { content: [text('Logged three messages.')] }
  })
  server.registerTool('test_tool_with_progress', fixture, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress, total: 100 },
      })
    return { content: [text('Reported progress.')] }
  })
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', {}, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', {}, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, {}, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } })
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: McpServer): void {
  const said = (...contents: readonly object[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content: content as ReturnType<typeof text> })),
  })
  server.registerPrompt('test_simple_prompt', fixture, () => said(text('This is a simple prompt for testing.')))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...fixture, argsSchema: z.object({ arg1: completable(z.string(), () => []), arg2: z.string() }) },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...fixture, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      said(
        resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', fixture, () => said(image, text('Please analyze the image above.')))
}

/** Adds the tools, prompts and resources that the conformance suite expects by name. */
export function addFixtures(server: McpServer): void {
  addTools(server)
  addResources(server)
  addPrompts(server)
}
