import { setPreference, usePreference } from '#web/data/preferences.ts'
import { PageSection } from '#web/parts/page.tsx'
import css from '#web/parts/settings.module.css'

/** How it looks and listens in this browser. */
export function AppearanceSettings() {
  const theme = usePreference('theme')
  const density = usePreference('density')
  const keys = usePreference('single_keys')
  return (
    <>
      <PageSection title="Look">
        <Choice
          legend="Theme"
          name="theme"
          value={theme}
          options={[
            ['system', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={(next) => setPreference('theme', next)}
        />
        <Choice
          legend="Rows of tables"
          name="density"
          value={density}
          options={[
            ['compact', 'Compact'],
            ['normal', 'Normal'],
            ['roomy', 'Roomy'],
          ]}
          onChange={(next) => setPreference('density', next)}
        />
      </PageSection>
      <PageSection
        title="Keys"
        lead="Letters alone act where nothing is typed, e.g. C makes a new item. Anyone who speaks to the computer, or brushes keys, may not want that."
      >
        <Choice
          legend="Letters alone"
          name="single_keys"
          value={keys}
          options={[
            ['on', 'Act'],
            ['off', 'Do nothing'],
          ]}
          onChange={(next) => setPreference('single_keys', next)}
        />
      </PageSection>
    </>
  )
}

interface ChoiceProps<T extends string> {
  legend: string
  name: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}

function Choice<T extends string>({ legend, name, value, options, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className={css.choice}>
      <legend>{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option} className={css.option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
