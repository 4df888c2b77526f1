import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ComponentFrame } from '#web/chat/component-frame.tsx'
import { ToolLine } from '#web/chat/tool-line.tsx'
import type { ChatPart } from '#web/rules/chat-parts.ts'
import { type Block, markdown, type Span } from '#web/rules/markdown.ts'
import css from '#web/chat/message-parts.module.css'

interface MessagePartsProps {
  parts: readonly ChatPart[]
  /** What a tool proposed in place of a change. */
  renderProposal: (proposal_id: string) => ReactNode
}

/** An answer in the order in which it came: text, tools, components. */
export function MessageParts({ parts, renderProposal }: MessagePartsProps) {
  return parts.map((part, i) => {
    const key = `${part.type} ${'id' in part ? part.id : i}`
    if (part.type === 'text') return <Text key={key} text={part.text} />
    return part.type === 'tool_call' ? (
      <ToolLine key={key} call={part} renderProposal={renderProposal} />
    ) : (
      <ComponentFrame key={key} component={part} />
    )
  })
}

/* oxlint-disable react/no-array-index-key -- pieces of one text, in their order */
function Text({ text }: { text: string }) {
  return (
    <div className={css.text}>
      {markdown(text).map((block, i) => (
        <BlockView key={i} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <p className={css.heading}>
          <Spans spans={block.spans} />
        </p>
      )
    case 'code':
      return <pre className={css.code}>{block.text}</pre>
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((spans, i) => (
            <li key={i}>
              <Spans spans={spans} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        <div className={css.scroller} tabIndex={0} role="group" aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.head.map((spans, i) => (
                  <th key={i} scope="col">
                    <Spans spans={spans} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((spans, j) => (
                    <td key={j}>
                      <Spans spans={spans} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    default:
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      )
  }
}

function Spans({ spans }: { spans: readonly Span[] }): ReactNode {
  return spans.map((span, i) => {
    if (span.kind === 'strong') return <strong key={i}>{span.text}</strong>
    if (span.kind === 'em') return <em key={i}>{span.text}</em>
    if (span.kind === 'code') return <code key={i}>{span.text}</code>
    if (span.kind !== 'link') return <span key={i}>{span.text}</span>
    return span.href.startsWith('/') ? (
      <Link key={i} href={span.href}>
        {span.text}
      </Link>
    ) : (
      <a key={i} href={span.href} target="_blank" rel="noreferrer noopener">
        {span.text}
      </a>
    )
  })
}
