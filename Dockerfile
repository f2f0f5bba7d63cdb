# Two stages: build and runtime. Node 24 is supported until April 2028.
FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY bin ./bin
COPY src ./src
COPY console ./console
COPY widget ./widget
# Omits the embedded PostgreSQL, an optional dependency: containers use DATABASE_URL.
# Type declarations and source maps are more than half of the rest and are not used at run time.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' ')' -delete

FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
# Readable for the user below, independent of the umask of the clone.
COPY --chmod=644 package.json LICENSE ./
COPY --chmod=755 bin/rcpt.js ./bin/
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
# Both roles serve /livez.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Requires DATABASE_URL and SECRET_KEY, see docs/installation.md.
CMD ["node", "dist/main.js"]
