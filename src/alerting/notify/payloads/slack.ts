import type { SlackIntegration } from '../config/index.ts'
import type { Delivery } from '../types.ts'
import { messageLevel, messageLines, messageLink, messageTitle } from './message.ts'

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns the JSON body for a Slack incoming webhook: fallback text and one attachment. */
export function slackBody(delivery: Delivery, { channel, username }: SlackIntegration): string {
  const title = escape(messageTitle(delivery))
  const link = messageLink(delivery)
  const attachment = {
    color: messageLevel(delivery),
    title,
    ...(link === '' ? {} : { title_link: link }),
    text: escape(messageLines(delivery).join('\n')),
    fields: delivery.groupLabels.toPairs().map(([name, value]) => ({
      title: escape(name),
      value: escape(value),
      short: true,
    })),
    footer: 'Sluice',
    ts: Math.floor(delivery.atMs / 1000),
  }
  return JSON.stringify({
    ...(channel === undefined ? {} : { channel }),
    ...(username === undefined ? {} : { username }),
    text: title,
    attachments: [attachment],
  })
}
