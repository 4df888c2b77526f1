import { readFileSync, writeFileSync } from 'node:fs'
import { refuseFolder, refuseOptions } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { type Caller, OPERATOR } from '#src/domain/caller.ts'
import { badRequest, ServiceError, unprocessable } from '#src/domain/errors.ts'
import { counted } from '#src/domain/message-words.ts'
import { parseExactJson } from '#src/json/exact-json.ts'
import { getTemplate } from '#src/operations/templates/get-template.ts'
import type { Template } from '#src/operations/templates/template.ts'
import { fillTemplate, findTemplateUser } from '#src/operations/templates/template-steps.ts'
import { useTemplate } from '#src/operations/templates/use-template.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { makeFile } from '#src/transfer/make-file.ts'

export interface TemplateOptions {
  json?: boolean | undefined
  user?: string | undefined
}

const USE = 'template save FILE, or template use FILE [--user WHO]'

/** What the commands run on the database. */
export const TEMPLATE_OPERATIONS = [getTemplate, findTemplateUser, fillTemplate]

/** What the words after `template` ask for; it is done when it is given the database. @throws BadRequest */
export async function readTemplateCommand(
  [command, file, ...rest]: readonly string[],
  options: TemplateOptions,
): Promise<(store: Store) => Promise<string>> {
  if (command !== 'save' && command !== 'use')
    throw badRequest('template needs the command save or use', { suggestion: USE })
  if (file === undefined) throw badRequest(`template ${command} needs a file`, { suggestion: USE })
  if (rest.length) throw badRequest(`template ${command} does not take '${rest[0]}'`, { suggestion: USE })
  refuseOptions(`template ${command}`, command === 'use' ? ['json', 'user'] : ['json'], options)
  const { json = false, user } = options
  if (command === 'save') return (store) => save(store, file, json)
  const template = await readTemplate(file)
  return async (store) => {
    const user_id = await store.call(findTemplateUser, { who: user ?? null })
    // Events and their change have one account: it is the call's.
    const caller: Caller = { ...OPERATOR, user_id, role: 'owner' }
    const made = await store
      .call(fillTemplate, { template }, caller)
      .catch((error: unknown) => refuseFile(error, `Mend ${file}`))
    if (json) return JSON.stringify(made, null, 2)
    return `${template.name}: ${counted(made.tags, 'tag')}, ${counted(made.views, 'view')} and ${counted(made.items, 'item')} are made`
  }
}

async function save(store: Store, file: string, json: boolean): Promise<string> {
  const template = await store.call(getTemplate, {})
  await makeFile(file, async (unfinished) =>
    writeFileSync(unfinished, `${JSON.stringify(template, null, 2)}\n`),
  )
  const [tags, views, items] = [template.tags.length, template.views.length, template.items.length]
  if (json) return JSON.stringify({ file, tags, views, items }, null, 2)
  return `Saved ${counted(tags, 'tag')}, ${counted(views, 'shared view')} and ${counted(items, 'item')} to ${file}`
}

/** @throws UnprocessableEntity with what is wrong in the file */
async function readTemplate(file: string): Promise<Template> {
  refuseFolder(file)
  const given = readJson(file)
  try {
    const { template } = await validateInput(useTemplate, { template: given })
    return template as Template
  } catch (error) {
    return refuseFile(error, `${file} is no template: \`template save\` makes one`)
  }
}

function readJson(file: string): unknown {
  try {
    return parseExactJson(readFileSync(file), { what: file })
  } catch (error) {
    return refuseFile(error, `Mend ${file}`)
  }
}

/** @throws UnprocessableEntity for what is wrong in the file: it is not the command that was typed wrong */
function refuseFile(error: unknown, suggestion: string): never {
  if (!(error instanceof ServiceError) || error.code !== 'BadRequest') throw error
  const { message, details } = error
  throw unprocessable(message, { suggestion: error.suggestion ?? suggestion, ...(details && { details }) })
}
