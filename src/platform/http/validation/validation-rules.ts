import { getMetadataStorage } from 'class-validator';

type Collect = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];
type Rules = ReturnType<Collect>;

/**
 * Makes class-validator collect the rules of a class once. By itself it compares the class with all other
 * classes for each object, which takes longer than the validation of a query (`bench/http.ts`). The
 * service uses neither groups nor validation schemas, so the rules depend on the class alone.
 */
export function collectRulesOnce(): void {
  const storage = getMetadataStorage();
  if (Object.hasOwn(storage, 'getTargetValidationMetadatas')) return;
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const collected = new WeakMap<object, Rules>();
  storage.getTargetValidationMetadatas = (...args: Parameters<Collect>) => {
    const [type] = args;
    const rules = collected.get(type) ?? collect(...args);
    collected.set(type, rules);
    return rules;
  };
}
