/** An instruction of a Dockerfile: its flags (`--from=build`), and the rest of its text. */
export interface Instruction {
  readonly name: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly text: string;
}
export interface Stage {
  readonly name: string;
  /** An image, or an earlier stage. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile in their order. The last one is the default target. */
export function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const [, name = '', rest = ''] of lines.matchAll(/^([A-Z]+) (.+)$/gm)) {
    const [head = ''] = /^(?:--\S+ )*/.exec(rest) ?? [];
    const flags = new Map(
      [...head.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value]),
    );
    const text = rest.slice(head.length).trim();
    if (name === 'FROM') {
      const [from = '', , stage = ''] = text.split(' ');
      stages.push({ name: stage, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, flags, text });
  }
  return stages;
}

/** What a container of a stage runs with. */
export interface ImageSettings {
  env: Record<string, string>;
  user: string;
  workDir: string;
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
}

/** The settings that a stage has, with those of the stages that it is made from. */
export function settingsOf(stages: readonly Stage[], name: string): ImageSettings {
  const stage = stages.find((each) => each.name === name);
  if (!stage)
    // Of the image of Node.
    return {
      env: {},
      user: '0:0',
      workDir: '/',
      entrypoint: ['docker-entrypoint.sh'],
      command: ['node'],
      healthCheck: [],
    };
  const settings = settingsOf(stages, stage.from);
  for (const { name, text } of stage.instructions) {
    if (name === 'ENV')
      for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) settings.env[key] = value;
    else if (name === 'USER') settings.user = text;
    else if (name === 'WORKDIR') settings.workDir = text;
    else if (name === 'ENTRYPOINT') settings.entrypoint = JSON.parse(text) as string[];
    else if (name === 'CMD') settings.command = JSON.parse(text) as string[];
    else if (name === 'HEALTHCHECK')
      settings.healthCheck = JSON.parse(text.slice(text.indexOf('['))) as string[];
  }
  return settings;
}
