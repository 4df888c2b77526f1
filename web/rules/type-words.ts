import type { FieldType } from '#web/rules/tag-draft.ts'

/** The types in plain words; those that filters and agents speak of by name carry it. */
export const TYPE_WORDS: Readonly<Record<FieldType, string>> = {
  String: 'Text',
  Number: 'Number',
  Boolean: 'Yes or no',
  Date: 'Date',
  DateTime: 'Date and time',
  Select: 'One of a list (Select)',
  MultiSelect: 'Several of a list (MultiSelect)',
  Reference: 'Another item (Reference)',
  MultiReference: 'Several items (MultiReference)',
  File: 'Files',
}
