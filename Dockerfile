# Two stages: what it takes to build, and what it takes to run.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY src ./src
# The embedded PostgreSQL is an optional dependency: a container is given its database.
# More than half of what is left are types and source maps, which nothing reads that runs.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' ')' -delete

FROM node:20-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
# Readable to the user below whatever the umask of who cloned this.
COPY --chmod=644 package.json LICENSE ./
COPY --chmod=755 bin/rcpt.js ./bin/
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
# The API and a lone worker both answer it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# DATABASE_URL and SECRET_KEY are required: docs/operating.md.
CMD ["node", "dist/main.js"]
