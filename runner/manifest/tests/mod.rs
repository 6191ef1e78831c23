//! The language as a whole: manifests in, plans or rendered faults out.

mod stored_runs;
mod support;

mod canonical;
mod faults_of_arms;
mod faults_of_around;
mod faults_of_builds;
mod faults_of_design;
mod faults_of_files;
mod faults_of_forms;
mod faults_of_keys;
mod faults_of_ladders;
mod faults_of_noise;
mod faults_of_regimes;
mod faults_of_servers;
mod faults_of_stops;
mod faults_of_values;
mod faults_of_work;
mod good;
