import type { EmailIntegration } from '../config/index.ts'
import type { Delivery } from '../types.ts'
import { messageLines, messageLink, messageTitle } from './message.ts'

/** An e-mail as nodemailer expects it. */
export interface EmailMessage {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  /** Message id of the first e-mail in the thread; `undefined` in the first e-mail itself. */
  readonly inReplyTo?: string
  readonly references?: string
  readonly headers: Readonly<Record<string, string>>
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Builds the e-mail of a delivery in the thread of its group: plain text and HTML, without remote content. */
export function emailMessage(delivery: Delivery, { from, to }: EmailIntegration): EmailMessage {
  const subject = messageTitle(delivery)
  const lines = messageLines(delivery)
  const link = messageLink(delivery)
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'sluice.invalid'
  const idOf = (id: string): string => `<${id}@${domain}>`
  const anchor = /^https?:\/\//.test(link) ? `<p><a href="${escape(link)}">${escape(link)}</a></p>` : ''
  const thread = idOf(delivery.threadId)
  return {
    from,
    to,
    subject,
    text: [subject, '', ...lines, ...(link === '' ? [] : ['', link]), ''].join('\n'),
    html: `<h2>${escape(subject)}</h2><p>${lines.map(escape).join('<br>')}</p>${anchor}`,
    messageId: idOf(delivery.id),
    ...(delivery.threadId === delivery.id ? {} : { inReplyTo: thread, references: thread }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
